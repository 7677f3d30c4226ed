import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A dimmed explanation. */
export function Hint({ children, ...style }: TextProps & { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" {...style}>
      {children}
    </Text>
  )
}
