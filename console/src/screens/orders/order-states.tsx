import { Button, Group, List, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import classes from './order-states.module.css'
import type { OrderStatus } from './order-status.tsx'

type Explanation = DataOf<'explainOrder'>

const places: Record<OrderStatus, [x: number, y: number]> = {
  tbd: [50, 90],
  unconfirmed: [160, 90],
  created: [270, 90],
  pending: [380, 90],
  success: [490, 90],
  locked: [380, 28],
  expired: [215, 152],
  canceled: [380, 152],
}
const [width, height] = [92, 30]

/** Payments set these statuses, and cancelling has its own button. */
const ownActions: OrderStatus[] = ['pending', 'success', 'canceled']

interface OrderStatesProps {
  explanation: Explanation
  /** Absent: the person cannot change the status. */
  onMove?(status: OrderStatus): void
}

/** The statuses of an order, the moves that are possible now, and the reasons that block others. */
export function OrderStates({ explanation, onMove }: OrderStatesProps) {
  const { t } = useTranslation()
  const { status, moves } = explanation
  const ways = moves.filter(({ code }) => code !== 'no_such_move')
  const blocked = ways.filter(({ is_possible }) => !is_possible)
  const open = ways.filter(({ is_possible, status: to }) => is_possible && !ownActions.includes(to))
  return (
    <Stack gap="xs">
      <svg
        className={classes.picture}
        viewBox="0 0 545 180"
        role="img"
        aria-label={t('orders.statusDiagram', { status: t(`orderStatus.${status}`) })}
      >
        <defs>
          <marker
            id="way-head"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" className={classes.head} />
          </marker>
        </defs>
        {ways.map(({ status: to, is_possible }) => (
          <path
            key={to}
            d={wayOf(places[status], places[to])}
            className={is_possible ? classes.way : `${classes.way} ${classes.blocked}`}
            markerEnd="url(#way-head)"
          />
        ))}
        {Object.entries(places).map(([name, [x, y]]) => (
          <g key={name}>
            <rect
              x={x - width / 2}
              y={y - height / 2}
              width={width}
              height={height}
              rx={5}
              className={name === status ? classes.present : classes.node}
            />
            <text
              x={x}
              y={y}
              className={name === status ? `${classes.name} ${classes.presentName}` : classes.name}
            >
              {t(`orderStatus.${name as OrderStatus}`)}
            </text>
          </g>
        ))}
      </svg>
      {onMove && open.length > 0 && (
        <Group gap="xs">
          {open.map(({ status: to }) => (
            <Button key={to} size="compact-sm" variant="default" onClick={() => onMove(to)}>
              {t('orders.move', { status: t(`orderStatus.${to}`) })}
            </Button>
          ))}
        </Group>
      )}
      {blocked.length > 0 && (
        <div>
          <Hint>{t('orders.notPossible')}</Hint>
          <List size="sm" c="dimmed">
            {blocked.map(({ status: to, code }) => (
              <List.Item key={to}>{`${t(`orderStatus.${to}`)}: ${t(`obstacles.${code}`)}`}</List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

/** A path from edge to edge, around the boxes in between. */
function wayOf([fromX, fromY]: [number, number], [toX, toY]: [number, number]): string {
  const isSameRow = fromY === toY
  if (isSameRow && Math.abs(toX - fromX) > 120)
    return `M${fromX} ${fromY - height / 2} Q${(fromX + toX) / 2} ${fromY - 60} ${toX} ${toY - height / 2}`
  const side = Math.sign(toX - fromX) * (width / 2)
  const level = Math.sign(toY - fromY) * (height / 2)
  if (isSameRow) return `M${fromX + side} ${fromY} L${toX - side} ${toY}`
  return `M${fromX} ${fromY + level} L${toX - side / 2} ${toY - level}`
}
