import { Button, Menu } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../parts/icon.tsx'
import { csvOf, openDownload, saveFile } from '../../parts/save-file.ts'

interface ExportReportProps {
  /** Name of the files. */
  name: string
  /** Contains the chart. */
  chart: RefObject<HTMLElement | null>
  /** The rows of the report, with their titles. */
  rows(): string[][]
}

/** Saves the chart as a picture, and the figures as a table. */
export function ExportReport({ name, chart, rows }: ExportReportProps) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="download" size={14} />}>
          {t('reports.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() => {
            const drawn = chart.current?.querySelector('svg.recharts-surface')
            if (drawn instanceof SVGSVGElement) saveChart(`${name}.svg`, drawn)
          }}
        >
          {t('reports.exportChart')}
        </Menu.Item>
        <Menu.Item onClick={() => saveFile(`${name}.csv`, csvOf(rows()))}>
          {t('reports.exportRows')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const styles = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-family', 'opacity']

/** Saves a chart with its colours, which are variables of the page. */
function saveChart(name: string, chart: SVGSVGElement): void {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const originals = [...chart.querySelectorAll('*')]
  for (const [n, each] of [...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const computed = getComputedStyle(originals[n]!)
    for (const style of styles) each.setAttribute(style, computed.getPropertyValue(style))
    each.removeAttribute('class')
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const text = new XMLSerializer().serializeToString(copy)
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  openDownload(address, name)
  URL.revokeObjectURL(address)
}
