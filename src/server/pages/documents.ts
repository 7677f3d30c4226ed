import type { IncomingMessage } from 'node:http'
import { findLogo } from '../../access/organizations/issuer-store.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { findDocument } from '../../backoffice/documents/document-store.ts'
import { fileNameOf } from '../../backoffice/documents/print-document.ts'
import { composeSheet } from '../../backoffice/documents/printing/compose-sheet.ts'
import { type PrintLanguage, printLanguages } from '../../backoffice/documents/printing/document-words.ts'
import { readPresentState } from '../../backoffice/documents/printing/present-state.ts'
import { createPrinter } from '../../backoffice/documents/printing/printer.ts'
import { localTime } from '../../contract/days.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Services } from '../call.ts'
import { isSecretAddress } from './downloads.ts'
import type { Pages } from './pages.ts'

/** Receipts, invoices and credit notes as PDF, at secret addresses. */
export function addDocuments(pages: Pages, { db, now }: Services): void {
  const printer = createPrinter()
  pages.get('/documents/:corp_id/:token', async ({ corp_id = '', token = '' }, request) => {
    if (!isSecretAddress({ corp_id, token })) throw new ApiError('routeNotFound')
    const [organization] = await findOrganizations(db.shared, [corp_id])
    if (!organization) throw new ApiError('routeNotFound')
    if (organization.is_suspended) throw new ApiError('organizationSuspended')
    const { time_zone } = organization
    const on = db.of(corp_id)
    const document = await findDocument(on, corp_id, { token }, time_zone)
    if (!document) throw new ApiError('routeNotFound')
    const state = await readPresentState(on, corp_id, document, time_zone)
    const printed = localTime(now().toISOString(), time_zone)
    const sheet = composeSheet(document, state, languageOf(request), printed)
    const { logo_id } = document.content.issuer
    const logo = logo_id === '' ? undefined : await findLogo(on, corp_id, logo_id)
    return {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${fileNameOf(document)}"`,
        'x-robots-tag': 'noindex',
      },
      body: await printer.print(corp_id, sheet, logo?.content),
    }
  })
}

function languageOf({ url = '' }: IncomingMessage): PrintLanguage {
  const asked = new URLSearchParams(url.split('?')[1]).get('language')
  return printLanguages.find((language) => language === asked) ?? 'both'
}
