/** The version that X-Service-Version carries: the newest operation or rule that this code brings. */
export const serviceVersion = 'Ver5.2026-11-17'
