import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

interface Titled {
  title: string
  depth: number
}

/** The titles of the open parts of the page. */
const open = new Set<Titled>()

/** How deep a part is in the page: the deepest one gives the browser tab its title. */
const depths = { screen: 0, tab: 1, record: 2 }

/** The title of the browser tab while the component is open. */
export function useTabTitle(title: string, part: keyof typeof depths): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (title === '') return
    const titled = { title, depth: depths[part] }
    const show = () => {
      const deepest = [...open].toSorted((one, other) => one.depth - other.depth).at(-1)
      document.title = [deepest?.title, t('common.product')].filter(Boolean).join(' · ')
    }
    open.add(titled)
    show()
    return () => {
      open.delete(titled)
      show()
    }
  }, [title, part, t])
}
