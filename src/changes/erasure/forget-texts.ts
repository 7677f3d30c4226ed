import type { OrganizationContext } from '../../contract/endpoint.ts'
import { emptyImport } from '../lead-import/kept-file-store.ts'
import type { ContactHasher } from './contact-hash.ts'
import { droppingViews, findKeptViews, forgettingAnswers, forgettingImported } from './erase-store.ts'
import { contactWords, type ErasedWords, hashesOf, nameWords } from './erased-words.ts'
import {
  findTellingImports,
  forgetInPayers,
  forgetPayers,
  forgettingWords,
  squeezeWords,
} from './erased-words-store.ts'
import { holdsErasedPerson, searchFiles } from './search-files.ts'

/** Files up to this total size are searched in the transaction, larger ones right after it in the background. */
const searchedAtOnce = 4 * 1024 * 1024

interface Forgetting {
  user_ids: string[]
  payer_ids: string[]
  order_ids: string[]
  words: ErasedWords
  /** Undefined if files are searched later. */
  hasher: ContactHasher | undefined
}

/** Removes a person from all texts that are not records about them. */
export async function forgetTexts(
  { db: tx, organization, now }: Pick<OrganizationContext, 'db' | 'organization' | 'now'>,
  { user_ids, payer_ids, order_ids, words, hasher }: Forgetting,
): Promise<void> {
  const { corp_id } = organization
  const sought = { contacts: contactWords(words), names: nameWords(words) }
  const squeezed = await squeezeWords(tx, sought)
  for (const import_id of await findTellingImports(tx, corp_id, squeezed))
    await emptyImport(tx, corp_id, import_id, holdsErasedPerson, now)
  // An erased payer is no user. Another payer with the same contact may be another person.
  const isUser = user_ids.length > 0
  const payerIds = [
    ...(isUser ? await forgetPayers(tx, corp_id, squeezed) : []),
    ...(await forgetInPayers(tx, corp_id, squeezed)),
  ]
  const others = [...new Set(payerIds)].filter((id) => !payer_ids.includes(id))
  tx.note(...others.map((record_id) => ({ record_type: 'payers', record_id, action: 'erased' as const })))
  const views = await findKeptViews(tx, corp_id)
  await tx.pipeline([
    ...forgettingWords(corp_id, { order_ids, payer_ids }, squeezed),
    forgettingImported(corp_id),
    forgettingAnswers(corp_id, [
      ...user_ids,
      ...payer_ids,
      ...order_ids,
      ...sought.contacts,
      ...sought.names,
    ]),
    droppingViews(corp_id, viewsOn([...sought.contacts, ...sought.names], views)),
  ])
  if (!hasher) return
  const hashes = new Set(hashesOf(hasher, words).map(({ contact_hash }) => contact_hash))
  await searchFiles({ db: tx, organization, now }, { hasher, hashes }, searchedAtOnce)
}

/** Saved views that search for the person. Their filters are stored as a query string. */
function viewsOn(words: string[], views: Awaited<ReturnType<typeof findKeptViews>>): string[] {
  const wanted = words.map(plain)
  const tells = ({ name, filters }: { name: string; filters: string }) => {
    const text = plain(`${name} ${filters} ${[...new URLSearchParams(filters).values()].join(' ')}`)
    return wanted.some((each) => text.includes(each))
  }
  return views.filter(tells).map(({ view_id }) => view_id)
}

/** Only letters and digits, in any spelling. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}@]/gu, '')
}
