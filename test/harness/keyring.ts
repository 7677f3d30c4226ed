import { createKeyring } from '../../src/access/organizations/keyring.ts'

/** The value of MATRICULA_KEY. */
export const masterKeyText = '07'.repeat(32)

/** All tests share one master key, so that every copy of the sample's template can open its secret. */
export const testKeyring = createKeyring([Buffer.from(masterKeyText, 'hex')])
