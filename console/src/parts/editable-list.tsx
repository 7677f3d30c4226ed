import { type ReactNode, useState } from 'react'
import { AddButton } from './add-button.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import type { IconName } from './icon.tsx'

interface EditableListProps<Row> extends Omit<DataTableProps<Row>, 'actions' | 'onOpen' | 'empty'> {
  /** Label of the button that adds a record. */
  add: string
  /** False: the list is read only. */
  isEditable?: boolean
  empty?: { text: string; icon: IconName }
  /** The dialog of a record, or of a new one. */
  dialog(record: Row | undefined, close: () => void): ReactNode
}

/** A list whose rows open in a dialog, with a button that adds a record. */
export function EditableList<Row>(props: EditableListProps<Row>) {
  const { add, isEditable = true, empty, dialog, ...table } = props
  const [edited, setEdited] = useState<{ record?: Row }>()
  const button = isEditable && <AddButton label={add} onClick={() => setEdited({})} />
  return (
    <>
      <DataTable
        {...table}
        actions={button}
        onOpen={isEditable ? (record) => setEdited({ record }) : undefined}
        empty={empty && { ...empty, action: button }}
      />
      {edited && dialog(edited.record, () => setEdited(undefined))}
    </>
  )
}
