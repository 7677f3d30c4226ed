declare module 'virtual:operations' {
  /** Where each operation of the catalogue is, by its id; see vite.config.ts. */
  export const operations: Record<
    string,
    { method: 'GET' | 'POST'; path: string; scope: 'public' | 'account' | 'staff' | 'organization' }
  >
}
