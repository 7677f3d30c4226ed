// Imports the answers to a form as leads, from a file with one JSON object per line. It can be run again: each answer has an
// entry_id, and makes one lead.
import { readFile } from 'node:fs/promises'
import { type ImportLeadsInput, Matricula } from '@matricula/client'

const {
  MATRICULA_URL = '',
  MATRICULA_APP_ID = '',
  MATRICULA_SECRET = '',
  MATRICULA_CORP_ID = '',
} = process.env
const m = new Matricula({
  baseUrl: MATRICULA_URL,
  appId: MATRICULA_APP_ID,
  secret: MATRICULA_SECRET,
  corpId: MATRICULA_CORP_ID,
})

interface Answer {
  id: string
  name: string
  phone: string
  question: string
  answer: string
}

function leadOf({ id, name, phone, question, answer }: Answer): ImportLeadsInput['leads'][number] {
  return {
    entry_id: `spring-form-${id}`,
    area_code: '86',
    mobile: phone.replace(/\D/g, ''),
    name,
    utm_source: 'spring-form',
    form1_name: question,
    form1_value: answer,
  }
}

const lines = (await readFile(process.argv[2] ?? 'answers.ndjson', 'utf8')).split('\n').filter(Boolean)
const leads = lines.map((line) => leadOf(JSON.parse(line) as Answer))
const perCall = 1000
const counts = { imported: 0, refused: 0 }
for (let start = 0; start < leads.length; start += perCall) {
  const { list } = await m.leads.importMany({ leads: leads.slice(start, start + perCall) })
  for (const { index, code, msg } of list) {
    if (code === 0) counts.imported++
    else counts.refused++
    if (code !== 0) console.error(`line ${start + index + 1}: ${msg} (${code})`)
  }
}
console.log(JSON.stringify(counts))
