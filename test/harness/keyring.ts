import { createKeyring } from '../../src/organizations/keyring.ts'

/** All tests share one master key, so that the sample's secret can be opened wherever its template is copied. */
export const testKeyring = createKeyring([Buffer.alloc(32, 7)])
