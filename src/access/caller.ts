import type { ProgramCaller } from './organizations/account-store.ts'
import type { StaffCaller } from './staff/sessions.ts'

/** The caller of an operation: a program with a token, or a member of staff with a role and a session. */
export type Caller = ProgramCaller | StaffCaller
