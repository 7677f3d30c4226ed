import { createKeyring } from '../../src/access/organizations/keyring.ts'

/** As MATRICULA_KEY gives it to a process. */
export const masterKeyText = '07'.repeat(32)

/** All tests share one master key, so that the sample's secret can be opened wherever its template is copied. */
export const testKeyring = createKeyring([Buffer.from(masterKeyText, 'hex')])
