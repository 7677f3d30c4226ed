declare module 'virtual:operations' {
  /** Method and path of each operation by id; see vite.config.ts. */
  export const operations: Record<
    string,
    { method: 'GET' | 'POST'; path: string; scope: 'public' | 'account' | 'staff' | 'organization' }
  >
}
