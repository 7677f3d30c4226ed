/** The rules of `promtool check metrics`, for machines without it. */

const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
/** Units that are not base units, and the base unit to use instead. */
const otherUnits: Record<string, string> = {
  ...{ minutes: 'seconds', hours: 'seconds', days: 'seconds', weeks: 'seconds' },
  ...{ kelvins: 'kelvin', fahrenheit: 'celsius', rankine: 'celsius', bits: 'bytes', calories: 'joules' },
  ...{ inches: 'meters', yards: 'meters', miles: 'meters', pounds: 'grams', ounces: 'grams' },
}
const prefixed =
  /^(pico|nano|micro|milli|centi|deci|deca|hecto|kilo|kibi|mega|mibi|giga|gibi|tera|tebi|peta|pebi)(amperes|bytes|celsius|grams|joules|kelvin|meters|metres|moles|seconds|volts)$/
const abbreviations = new Set('s ms us ns sec b kb mb gb tb pb m h d'.split(' '))

interface Family {
  help: string | undefined
  type: string | undefined
  labels: Set<string>
  samples: Set<string>
}

/** One line for each fault. */
export function lintMetrics(text: string): string[] {
  const faults: string[] = []
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const family = families.get(name) ?? {
      help: undefined,
      type: undefined,
      labels: new Set(),
      samples: new Set(),
    }
    families.set(name, family)
    return family
  }
  for (const line of text.split('\n')) {
    const [, keyword, name, rest] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (keyword === 'HELP' || keyword === 'TYPE') {
      const family = familyOf(name!)
      const member = keyword === 'HELP' ? 'help' : 'type'
      if (family[member] !== undefined) faults.push(`${name}: a second ${keyword} line`)
      family[member] = rest!
    } else if (line !== '' && !line.startsWith('#')) noteSample(line)
  }

  function noteSample(line: string): void {
    const [, name, labels = ''] =
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (?:[-+\d.eE]+|[Nn]a[Nn]|[-+]?Inf)(?: \d+)?$/.exec(line) ?? []
    if (!name) return void faults.push(`not a sample: ${line}`)
    const base = name.replace(/_(bucket|sum|count)$/, '')
    const family = familyOf(families.get(base)?.type === 'histogram' ? base : name)
    for (const [, label] of labels.matchAll(/(\w+)="/g)) family.labels.add(label!)
    if (family.samples.has(`${name}{${labels}}`))
      faults.push(`${name}: a second sample with the labels ${labels}`)
    family.samples.add(`${name}{${labels}}`)
  }

  for (const [name, family] of families)
    for (const fault of faultsOf(name, family)) faults.push(`${name}: ${fault}`)
  return faults
}

function faultsOf(name: string, { help, type = 'untyped', labels }: Family): string[] {
  const faults: string[] = []
  const words = name.toLowerCase().split('_')
  if (!help) faults.push('no help text')
  if (!types.includes(type)) faults.push(`unknown type ${type}`)
  if (type === 'counter' && !name.endsWith('_total')) faults.push('a counter must end in _total')
  if (type !== 'counter' && name.endsWith('_total')) faults.push('only a counter may end in _total')
  if (type !== 'histogram' && type !== 'summary' && /_(bucket|count|sum)$/.test(name))
    faults.push('only a histogram or summary may end in _bucket, _count or _sum')
  if (type !== 'histogram' && labels.has('le')) faults.push('only a histogram may have the label le')
  if (type !== 'summary' && labels.has('quantile')) faults.push('only a summary may have the label quantile')
  if (words.some((word) => types.includes(word))) faults.push('the name contains a metric type')
  if (name.includes(':')) faults.push('colons are reserved for recording rules')
  for (const each of [name, ...labels]) if (/[a-z][A-Z]/.test(each)) faults.push(`${each} is in camel case`)
  for (const label of labels) if (label.startsWith('__')) faults.push(`the label ${label} is reserved`)
  for (const word of words)
    if (otherUnits[word] ?? prefixed.test(word)) faults.push(`${word} is not a base unit`)
  if (words.some((word) => abbreviations.has(word))) faults.push('the name abbreviates a unit')
  return faults
}
