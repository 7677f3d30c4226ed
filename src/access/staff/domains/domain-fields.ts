import { described, namedObject, oneOf, Timestamp } from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { maxDomainLength } from './domain-name.ts'
import type { DomainState } from './domain-store.ts'
import { recordOf } from './look-up-record.ts'

export const DomainName = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: maxDomainLength,
  description: 'A domain of e-mail addresses, such as lakeside.example',
})

export const SignInDomain = namedObject('SignInDomain', {
  domain: Type.String(),
  is_verified: Type.Boolean({ description: 'Whether the domain is verified and in effect' }),
  verified_by: oneOf(['', 'dns', 'operator'], 'dns: by the TXT record; operator: by command line'),
  verified_at: described(Timestamp, 'Time of verification; "" before'),
  requested_at: Timestamp,
  record_name: described(Type.String(), 'Name of the TXT record that verifies the domain'),
  record_value: described(Type.String(), 'Value of the TXT record'),
})

export function shownDomain(state: DomainState): Static<typeof SignInDomain> {
  const { domain, token, requested_at, verified_at, verified_by } = state
  const { name, value } = recordOf(domain, token)
  return {
    domain,
    is_verified: verified_by !== '',
    verified_by,
    verified_at,
    requested_at,
    record_name: name,
    record_value: value,
  }
}

export const exampleDomain: Static<typeof SignInDomain> = {
  domain: 'lakeside.example',
  is_verified: false,
  verified_by: '',
  verified_at: '',
  requested_at: '2026-11-17 09:30:00',
  record_name: '_matricula.lakeside.example',
  record_value: 'matricula-verification=Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12',
}

export const ofDomains = { group: 'Console', since: 'Ver5.2026-11-17', permission: 'admin' } as const
