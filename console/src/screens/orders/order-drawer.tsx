import { useNavigate, useParams } from '@tanstack/react-router'
import { RecordDrawer } from '../../parts/record-drawer.tsx'

export function OrderDrawer() {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  return (
    <RecordDrawer title={id} onClose={() => void navigate({ to: '/orders', search: true })}>
      {id}
    </RecordDrawer>
  )
}
