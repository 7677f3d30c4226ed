import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { Instant } from '../../parts/instant.tsx'
import { ClaimButton } from '../leads/claim-button.tsx'
import { CallActions } from './today-actions.tsx'
import type { Today } from './today-screen.tsx'
import { type WaitingRow, WaitingSection } from './waiting-section.tsx'

type User = Today['untouched']['list'][number]

/** The people to call, to contact and to claim. */
export function PeopleSections({ data }: { data: Today }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const { callbacks, untouched, unclaimed } = data
  return (
    <>
      <WaitingSection
        title={t('today.callbacks')}
        icon="phone"
        total={callbacks.total}
        rows={callbacks.list.map(
          ({ follow_up_id, user_id, name, mobile, content, next_time }): WaitingRow => ({
            id: follow_up_id,
            to: `/people/${user_id}`,
            name: name || mobile,
            detail: content,
            end: <Instant at={next_time} />,
            actions: (done) => (
              <CallActions user_id={user_id} name={name || mobile} mobile={mobile} done={done} />
            ),
          }),
        )}
      />
      <WaitingSection
        title={t('today.notContacted')}
        icon="person"
        total={untouched.total}
        all={{ to: '/people', search: { owner_id: staff.staff_id } }}
        rows={untouched.list.map((user) => ({
          ...personRow(user),
          actions: (done) => (
            <CallActions
              user_id={user.user_id}
              name={user.name || user.mobile}
              mobile={user.mobile}
              done={done}
            />
          ),
        }))}
      />
      <WaitingSection
        title={t('today.unclaimed')}
        icon="leads"
        total={unclaimed.total}
        all={{ to: '/leads', search: { tab: 'pool' } }}
        rows={unclaimed.list.map((user) => ({
          ...personRow(user),
          actions: (done) => (
            <ClaimButton
              userId={user.user_id}
              name={user.name || user.mobile}
              pool={user.pool}
              holderId={user.holder_id}
              onClaimed={done}
            />
          ),
        }))}
      />
    </>
  )
}

function personRow({ user_id, name, mobile, city, ctime }: User): WaitingRow {
  return {
    id: user_id,
    to: `/people/${user_id}`,
    name: name || mobile,
    detail: city ?? '',
    end: <Instant at={ctime} />,
  }
}
