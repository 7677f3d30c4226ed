import { Link } from '@tanstack/react-router'

/** Opens an order; named by its student, otherwise by the end of its id. */
export function OrderLink({ id, name }: { id: string; name?: string }) {
  return (
    <Link to="/orders/$id" params={{ id }}>
      {name || id.slice(-8)}
    </Link>
  )
}
