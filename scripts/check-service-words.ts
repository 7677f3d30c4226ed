// Every sentence of the service has its text for people (console/src/languages/service-messages.ts) with the same holes, and every
// text there has its sentence. It names the place of a sentence without a text.
import { serviceMessages } from '../console/src/languages/service-messages.ts'
import { messageTemplates } from './message-templates.ts'

const dictionary = 'console/src/languages/service-messages.ts'
const formats = /^(money|amounts|date|label|labels|word|words|text|sentences|person|none)$/
const { templates, faults } = messageTemplates()

for (const [text, places] of templates)
  if (!Object.hasOwn(serviceMessages, text))
    faults.push(`${places[0]}: ${dictionary} has no text for "${text}"`)
for (const [text, shown] of Object.entries(serviceMessages)) {
  if (!templates.has(text)) faults.push(`${dictionary}: the service has no sentence "${text}"`)
  for (const each of [shown].flat()) {
    const isMoney = each.includes(':money}')
    // An amount is shown with its currency.
    const wanted = holesIn(text).filter(
      (name) => !isMoney || !/currency$/i.test(name) || holesIn(each).includes(name),
    )
    if (wanted.join() !== holesIn(each).join())
      faults.push(`${templates.get(text)?.[0] ?? dictionary}: "${each}" has other holes than "${text}"`)
    for (const [, , format] of each.matchAll(/\{(\w+):(\w+)\}/g))
      if (!formats.test(format!)) faults.push(`${dictionary}: "${each}" has the unknown format ${format}`)
  }
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}

function holesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => name!))].toSorted()
}
