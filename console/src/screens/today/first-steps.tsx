import { Button, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/session.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { Today } from './today-screen.tsx'
import classes from './waiting-section.module.css'

const screenOf: Record<Today['first_steps'][number]['step'], { to: string; search?: Search }> = {
  school: { to: '/settings', search: { tab: 'school' } },
  staff: { to: '/settings', search: { tab: 'staff' } },
  courses: { to: '/offerings' },
  people: { to: '/leads/import' },
  orders: { to: '/orders' },
}

/** The checklist of a new school. The first missing step has the emphasis; the section disappears with the last one. */
export function FirstSteps({ steps }: { steps: Today['first_steps'] }) {
  const { t } = useTranslation()
  if (steps.length === 0) return null
  const title = t('today.firstSteps.title')
  const done = steps.filter(({ is_done }) => is_done).length
  const next = steps.find(({ is_done }) => !is_done)?.step
  return (
    <section aria-label={title} className={classes.section} style={{ marginBottom: '1rem' }}>
      <Group gap="xs" className={classes.head}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" size="sm">
          {t('today.firstSteps.count', { done, total: steps.length })}
        </Text>
      </Group>
      <ol className={classes.list}>
        {steps.map(({ step, is_done }) => (
          <li key={step} className={classes.item} data-done={is_done || undefined}>
            <Link to={screenOf[step].to} search={screenOf[step].search as never} className={classes.row}>
              <span className={classes.name}>{t(`today.firstSteps.${step}.name`)}</span>
              <span className={classes.detail}>{t(`today.firstSteps.${step}.detail`)}</span>
            </Link>
            {is_done ? (
              <Text span size="sm" c="dimmed" className={classes.actions}>
                <Icon name="check" size={14} /> {t('today.done')}
              </Text>
            ) : (
              <div className={classes.actions}>
                <Button
                  size="compact-sm"
                  variant={step === next ? 'filled' : 'default'}
                  component={Link}
                  to={screenOf[step].to}
                  search={screenOf[step].search as never}
                  aria-label={`${t('today.firstSteps.start')}: ${t(`today.firstSteps.${step}.name`)}`}
                >
                  {t('today.firstSteps.start')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
