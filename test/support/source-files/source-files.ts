import { addressBooks } from './address-books.ts'
import { advertising } from './advertising.ts'
import { customerSystems } from './customer-systems.ts'
import { forms } from './forms.ts'
import type { SourceFile } from './source-file.ts'
import { spreadsheets } from './spreadsheets.ts'

export const sourceFiles: SourceFile[] = [
  ...advertising,
  ...customerSystems,
  ...forms,
  ...addressBooks,
  ...spreadsheets,
]
