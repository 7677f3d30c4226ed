import { inject } from 'vitest'
import { recordStatements } from './recorded-statements.ts'

recordStatements(inject('statementFolder'))
