import { Box, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface WaitingProps {
  /** The content to come: a whole screen with a list, a form, or the figures and lists of Today. */
  shape: 'screen' | 'form' | 'today'
}

/** The outline of what is being loaded, so that nothing moves when it arrives. */
export function Waiting({ shape }: WaitingProps) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy aria-label={t('common.loading')}>
      {shape === 'screen' ? <WaitingScreen /> : shape === 'form' ? <WaitingForm /> : <WaitingToday />}
    </div>
  )
}

/** Widths as of words, the same every time. */
const widthOf = (line: number) => `${55 + ((line * 17) % 40)}%`

function WaitingScreen() {
  return (
    <Stack gap="md">
      <Skeleton height={26} width="9rem" />
      <Group gap="xs">
        <Skeleton height={30} width="18rem" />
        <Skeleton height={30} width="8rem" />
      </Group>
      <Stack gap={16}>
        {Array.from({ length: 12 }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike.
          <Skeleton key={line} height={12} width={widthOf(line)} />
        ))}
      </Stack>
    </Stack>
  )
}

function WaitingToday() {
  return (
    <Stack gap="md">
      <Skeleton height={12} width="16rem" />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {[0, 1, 2, 3].map((figure) => (
          <Skeleton key={figure} height={92} radius="md" />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {[0, 1].map((list) => (
          <Skeleton key={list} height={264} radius="md" />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function WaitingForm() {
  return (
    <Stack gap="md" maw="40rem">
      {[0, 1, 2, 3].map((field) => (
        <Box key={field}>
          <Skeleton height={10} width="7rem" mb={8} />
          <Skeleton height={34} />
        </Box>
      ))}
    </Stack>
  )
}
