import { Group, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'

export const steps = ['file', 'columns', 'values', 'check', 'import'] as const
export type Step = (typeof steps)[number]

/** The step that the address names, as far as the state of the file allows it. */
export function stepOf(file: LeadFile, asked: string | undefined): Step {
  const { state, refusal_reason } = file
  if (state === 'committing' || state === 'done') return 'import'
  if (state === 'uploading') return 'file'
  const step = steps.find((each) => each === asked)
  if (state === 'refused') {
    if (step === 'file' || step === 'columns') return step
    return refusal_reason === 'missing_column' ? 'columns' : 'file'
  }
  return step === undefined || step === 'import' ? 'check' : step
}

/** A link per step. Steps that are behind can be opened again until the commit. */
export function ImportSteps({ file, step }: { file: LeadFile; step: Step }) {
  const { t } = useTranslation()
  const isOpen = file.state === 'planned' || file.state === 'planning'
  const guesses = file.columns.filter(({ guessed }) => guessed).length
  return (
    <nav aria-label={t('leadImport.stepsTitle')}>
      <ol className={classes.steps}>
        {steps.map((each, at) => {
          const isDone = at < steps.indexOf(step) || file.state === 'done'
          const hint = each === 'columns' && guesses > 0 && ` ${t('leadImport.guesses', { count: guesses })}`
          const label = (
            <>
              {t(`leadImport.steps.${each}`)}
              {isDone && ' ✓'}
              {hint}
            </>
          )
          const isLink = isOpen && each !== step && each !== 'import'
          return (
            <li key={each}>
              {isLink ? (
                <Link
                  to="/leads/import"
                  search={{ import: file.import_id, step: each } as never}
                  className={classes.step}
                >
                  {label}
                </Link>
              ) : (
                <span
                  className={classes.step}
                  aria-current={each === step ? 'step' : undefined}
                  aria-disabled={each === step || isDone ? undefined : true}
                >
                  {label}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** Goes to another step of the same import; the browser goes back to this one. */
export function useStep(file: LeadFile): (step: Step) => void {
  const navigate = useNavigate()
  return (step) => void navigate({ to: '/leads/import', search: { import: file.import_id, step } as never })
}

/** The title of a step, with the buttons that leave it. */
export function StepHead({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <Group justify="space-between" align="flex-end" gap="xs">
      <div>
        <Title order={2}>{title}</Title>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
