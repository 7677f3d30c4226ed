import type { MailContent } from '../../access/mail/mail-words.ts'
import { languageOfSchool, queueMail } from '../../access/mail/queue-mail.ts'
import type { Keyring } from '../../access/organizations/keyring.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { listColleagues } from '../../access/staff/staff-store.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import { findCorpIdsWithAlerts, findDisabledEndpoints } from './alert-store.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Alerting {
  db: Database
  keyring: Keyring
  publicOrigin: string
}

interface Alert {
  cause: string
  record_type: string
  record_id: string
  content: MailContent
}

/** Puts mails to administrators into the outbox: one for each cause, and one a day while a quota is used up. */
export async function queueAlerts({ db, keyring, publicOrigin }: Alerting, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayMs)
  const corpIds = await findCorpIdsWithAlerts(db.everyOrganization, since)
  const organizations = corpIds.length > 0 ? await findOrganizations(db.shared, corpIds) : []
  for (const organization of organizations) {
    const { corp_id, is_suspended } = organization
    if (is_suspended) continue
    const on = db.of(corp_id)
    const administrators = (await listColleagues(on, corp_id)).filter(
      ({ role, is_active, is_disabled }) => role === 'admin' && is_active && !is_disabled,
    )
    const endpoints = await findDisabledEndpoints(on, corp_id, since)
    const alerts: Alert[] = [
      ...endpoints.map(({ endpoint_id, url, disabled_reason, disabled_at }) => ({
        cause: `webhook ${endpoint_id} ${disabled_at.getTime()}`,
        ...{ record_type: 'webhook_endpoints', record_id: endpoint_id },
        content: {
          ...{ kind: 'alert' as const, alert: 'webhook_disabled' as const, school: organization.name },
          // The rest of the address may be a secret.
          ...{ host: new URL(url).host, reason: disabled_reason },
          link: `${publicOrigin}/settings?tab=webhooks`,
        },
      })),
      ...quotaAlerts(organization, publicOrigin, now),
    ]
    await on.transaction(async (tx) => {
      for (const { cause, ...alert } of alerts)
        for (const { staff_id, name, email } of administrators)
          await queueMail(
            tx,
            keyring,
            {
              ...{
                corp_id,
                ...alert,
                cause: `${cause} ${staff_id}`,
                language: languageOfSchool(organization),
              },
              ...{ to: { name, address: email }, executor_id: 'maintenance' },
            },
            now,
          )
    })
  }
}

function quotaAlerts({ name, over_quota }: Organization, publicOrigin: string, now: Date): Alert[] {
  return over_quota.map((quota) => ({
    cause: `quota ${quota} ${now.toISOString().slice(0, 10)}`,
    ...{ record_type: 'quotas', record_id: 'quotas' },
    content: {
      ...{ kind: 'alert' as const, alert: 'quota_used_up' as const, school: name, quota },
      link: `${publicOrigin}/settings`,
    },
  }))
}
