import { type Role, roleNames, roles } from '../src/access/staff/roles.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { asksForConfirmation } from '../src/contract/guard.ts'
import { catalogue } from '../src/endpoints.ts'
import { table } from './markdown-table.ts'

/** The owner of a person, relative to the caller. */
export const ownerships = {
  mine: 'the caller is an owner',
  pool: 'in the public pool, and not theirs',
  other: "somebody else's",
  nobody: 'without an owner, and not in the public pool',
} as const
export type Ownership = keyof typeof ownerships

/** The declared outcome for a role that calls an operation on a person. test/guards.test.ts calls and compares. */
export type Outcome = 'allowed' | 'claim first' | 'refused' | 'by setting'

export function outcomeOf(
  { scope, permission, staffPermission = permission, guard }: Endpoint,
  role: Role,
  whose: Ownership,
): Outcome {
  if (scope !== 'organization') return 'allowed'
  if (!(roles[role] as readonly string[]).includes(staffPermission!)) return 'refused'
  if (role === 'viewer' && guard.effect === 'discloses') return 'refused'
  if (role !== 'counsellor') return 'allowed'
  if (guard.setting) return 'by setting'
  const isLimited = guard.people === 'own' || guard.people === 'own or pool'
  if (!isLimited || whose === 'mine') return 'allowed'
  if (whose !== 'pool') return 'refused'
  return guard.people === 'own' ? 'claim first' : 'allowed'
}

const signs: Record<Outcome, string> = {
  allowed: 'yes',
  'claim first': 'claim',
  refused: '–',
  'by setting': 'setting',
}

export function permissionsPage(): string {
  const ofOrganization = catalogue.filter(({ scope }) => scope === 'organization')
  const groups = Map.groupBy(ofOrganization, ({ group }) => group)
  const others = catalogue.filter(({ scope }) => scope !== 'organization')
  const unconfirmed = catalogue.flatMap(({ id, guard }) =>
    'unconfirmed' in guard && guard.unconfirmed ? [[code(id), guard.effect, guard.unconfirmed]] : [],
  )
  const whileReadOnly = catalogue.flatMap(({ id, guard }) =>
    guard.whileReadOnly ? [[code(id), guard.effect, guard.whileReadOnly]] : [],
  )
  const everyones = catalogue.flatMap(({ id, guard }) =>
    'why' in guard && guard.why ? [[code(id), guard.people, guard.why]] : [],
  )
  return [
    '# Permissions: role × operation × ownership',
    '',
    'Made by `npm run generate` from the `guard` of each contract (`src/contract/guard.ts`). `test/guards.test.ts` calls every',
    'operation as every role on every kind of person, and compares with these tables.',
    '',
    '- **yes** allowed · **–** refused · **claim** refused until the caller claims the person · **setting** refused unless the',
    '  organization allows it.',
    '- **confirmed**: staff enter the password, or use a passkey or the provider, within the ten minutes before the call.',
    '  Dry runs need no confirmation.',
    '- Ownership matters to counsellors only:',
    ...Object.entries(ownerships).map(([name, meaning]) => `  - _${name}_: ${meaning}`),
    '- A program (API account) calls an operation of an organization with the permission alone, except those of the console.',
    '- _everyone, owners of own_: a counsellor may name anybody, and adds owners to own people only.',
    '',
    ...[...groups].flatMap(([group, operations]) => [
      `## ${group}`,
      '',
      table(headOfOperations, operations.map(rowOf)),
      '',
    ]),
    '## Signing in, tokens and the own session',
    '',
    'These concern no records. `public` needs nobody to be signed in; `account` a token; `staff` a session.',
    '',
    table(
      ['Operation', 'Scope', 'Effect', 'Confirmed', 'Rules'],
      others.map((each) => [
        code(each.id),
        each.scope,
        each.guard.effect,
        each.scope === 'staff' && asksForConfirmation(each.guard) ? 'yes' : '',
        rulesOf(each),
      ]),
    ),
    '',
    '## Exceptions from confirmation',
    '',
    'An operation that discloses, grants or cannot be reversed asks for confirmation, unless its contract gives a reason.',
    '',
    table(['Operation', 'Effect', 'Why it asks for none'], unconfirmed),
    '',
    '## Read-only mode',
    '',
    'While the service is read-only, every operation that takes POST and does more than read answers 50302, unless its contract',
    'gives a reason. Dry runs work.',
    '',
    table(['Operation', 'Effect', 'Why it works'], whileReadOnly),
    '',
    '## Operations on people of others',
    '',
    'An operation that does more than read touches the people of the counsellor only, unless its contract gives a reason.',
    '',
    table(['Operation', 'People', 'Why'], everyones),
    '',
  ].join('\n')
}

const headOfOperations = [
  ...['Operation', 'Permission', 'Effect', 'Confirmed', 'viewer'],
  ...Object.keys(ownerships).map((whose) => `counsellor: ${whose}`),
  ...['finance', 'admin', 'Rules'],
]

function rowOf(endpoint: Endpoint): string[] {
  const { id, permission, staffPermission, guard } = endpoint
  const cells = roleNames.map((role): [Role, string[]] => [
    role,
    (Object.keys(ownerships) as Ownership[]).map((whose) => signs[outcomeOf(endpoint, role, whose)]),
  ])
  const { viewer, counsellor, finance, admin } = Object.fromEntries(cells) as Record<Role, string[]>
  return [
    ...[
      code(id),
      staffPermission ? `${permission}, of staff ${staffPermission}` : permission!,
      guard.effect,
      asksForConfirmation(guard) ? 'yes' : '',
    ],
    ...[viewer[0]!, ...counsellor, finance[0]!, admin[0]!, rulesOf(endpoint)],
  ]
}

function rulesOf({ guard: { limit, secondApprover, setting, people } }: Endpoint): string {
  const rules = [
    people === 'everyone, owners of own' ? 'owners of own people only' : undefined,
    limit && `limit: ${limit}`,
    secondApprover && `second approver: ${secondApprover}`,
    setting && `setting: ${setting}`,
  ]
  return rules.filter(Boolean).join('; ')
}

const code = (text: string) => `\`${text}\``
