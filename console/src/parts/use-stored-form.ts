import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DataOf, type OperationId, queryFor } from '../calls/call.ts'

interface Form<Values> {
  /** The data of the last render. */
  data: Values
  stored: Values
  /** The typed values, also those that are the stored ones again. */
  typed: Partial<Values>
}

/**
 * A form over the data of a read without parameters. A field follows the stored values until it is edited; then it keeps its
 * input until that is saved or discarded.
 */
export function useStoredForm<Id extends OperationId>(id: Id, data: DataOf<Id> & object) {
  type Values = DataOf<Id> & object
  const queries = useQueryClient()
  const [form, setForm] = useState<Form<Values>>({ data, stored: data, typed: {} })
  const isNewer = form.data !== data
  const { stored, typed } = isNewer ? { stored: data, typed: differing(form.typed, form.stored) } : form
  if (isNewer) setForm({ data, stored, typed })
  const edits = differing(typed, stored)
  return {
    wanted: { ...stored, ...edits },
    /** The members that differ from the stored ones. */
    edits,
    isEdited: Object.keys(edits).length > 0,
    edit: (changed: Partial<Values>) => setForm((now) => ({ ...now, typed: { ...now.typed, ...changed } })),
    discard: () => setForm((now) => ({ ...now, typed: {} })),
    /** After `sent` was saved: shows `saved`, and keeps later input. */
    accept: (sent: Partial<Values>, saved: Values) => {
      // Until the refetch ends. Otherwise an undo before its end would look like no change.
      queries.setQueryData(queryFor(id, {} as never).queryKey, saved)
      setForm((now) => ({ ...now, stored: saved, typed: differing(now.typed, sent) }))
    },
  }
}

/** The members that are not the same in `others`. */
function differing<Values extends object>(values: Partial<Values>, others: Partial<Values>): Partial<Values> {
  const names = Object.keys(values) as (keyof Values)[]
  const changed = names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(others[name]))
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<Values>
}
