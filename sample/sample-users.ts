import type { UserRecord } from '../src/people/users/user-store.ts'
import { daySeconds, firstUser, lastMoment, later, secondsBetween } from './calendar.ts'
import { type Origin, origins, owners, trickyNames, type Word, workLife as work } from './people.ts'
import type { Random } from './random.ts'

export type SampleUser = UserRecord & {
  user_id: string
  attributes: Record<string, unknown>
  owner_ids: string[]
  ctime: Date
}

/** Oldest first. */
export function makeUsers(random: Random): SampleUser[] {
  const from = random.shuffle(origins.flatMap((origin) => Array.from({ length: origin.users }, () => origin)))
  const step = Math.trunc(secondsBetween(firstUser, lastMoment) / from.length)
  return from.map((origin, index) => {
    const ctime = later(firstUser, index * step + random.below(step))
    return makeUser(random, origin, index, ctime)
  })
}

function makeUser(random: Random, origin: Origin, index: number, ctime: Date): SampleUser {
  const person = makePerson(random, origin, index)
  const employment = makeEmployment(random, origin)
  const changed = random.chance(40)
  const mtime = changed ? later(ctime, random.between(1, secondsBetween(ctime, lastMoment))) : ctime
  return {
    user_id: random.id(ctime),
    ...person.names,
    ...makeContacts(random, origin, person.mailbox),
    gender: person.gender,
    age: person.age,
    ...makeCity(random, origin),
    ...employment.profile,
    work_exp: String(random.between(1, 25)),
    professional_profile_url: random.chance(50) ? `https://profiles.example.com/in/${person.mailbox}` : null,
    attributes: {
      ...person.attributes,
      ...employment.attributes,
      ...makeEducation(random, origin, ctime),
      ...makeReach(random, origin, person.mailbox),
    },
    wechat_id: null,
    external_id: null,
    owner_ids: random
      .shuffle(owners)
      .slice(0, random.below(4))
      .map(({ id }) => id),
    pool: random.pick(['alive', 'alive', 'alive', 'dead', 'public', 'public']),
    is_verified: random.chance(60),
    ctime,
    mtime,
    version: changed ? random.between(2, 5) : 1,
  }
}

function makePerson(random: Random, origin: Origin, index: number) {
  const last = random.pick(origin.last_names)
  const first = random.pick(origin.first_names)
  const tricky = trickyNames[index]
  const latin = tricky?.[1] ?? `${first[1]} ${last[1]}`
  const isFemale = random.chance(50)
  const year = random.between(1962, 2001)
  const month = random.between(1, 12)
  const birthday = [year, two(month), two(random.between(1, 28))].join('-')
  return {
    names: tricky
      ? { name: tricky[0], first_name: null, last_name: null }
      : makeNames(random, origin, last, first),
    mailbox: `${latin} ${index}`
      .toLowerCase()
      .replaceAll(' ', '.')
      .replaceAll(/[^a-z0-9.-]/g, ''),
    gender: makeGender(random, origin, isFemale),
    // In November 2026, at the end of the sample.
    age: 2026 - year - (month > 10 ? 1 : 0),
    attributes: {
      birthday,
      nationality: origin.nationality,
      salutation: origin.isChinese ? (isFemale ? '女士' : '先生') : isFemale ? 'Ms' : 'Mr',
      account_name_en: latin,
      ...makeIdentification(random, origin, birthday),
    },
  }
}

/** Some people do not state it. */
function makeGender(random: Random, origin: Origin, isFemale: boolean): string | null {
  if (random.chance(20)) return null
  if (origin.isChinese) return isFemale ? '女' : '男'
  return isFemale ? 'female' : 'male'
}

/** Some people have only a full name, and a few have no name. */
function makeNames(random: Random, origin: Origin, last: Word, first: Word) {
  if (random.chance(3)) return { name: null, first_name: null, last_name: null }
  const isFamilyFirst = origin.isChinese || origin.area_code === '81'
  const name = isFamilyFirst ? `${last[0]}${first[0]}` : `${first[0]} ${last[0]}`
  if (random.chance(12)) return { name, first_name: null, last_name: null }
  return { name, first_name: first[0], last_name: last[0] }
}

/** Invalid numbers: no region has the code 000000, and no passport starts with SMP. */
function makeIdentification(random: Random, origin: Origin, birthday: string) {
  if (origin.area_code === '86') {
    const identification_id = `000000${birthday.replaceAll('-', '')}${random.digits(4)}`
    return { identification_type: '身份证', identification_id }
  }
  return {
    identification_type: origin.isChinese ? '护照' : 'Passport',
    identification_id: `SMP${random.digits(7)}`,
  }
}

/** One in six has only an e-mail address; half of the others have one, too. */
function makeContacts(random: Random, origin: Origin, mailbox: string) {
  const email = `${mailbox}@${random.pick(['example.com', 'example.org', 'mail.example.net'])}`
  if (random.chance(16)) {
    return { area_code: null, mobile: null, backup_area_code: null, backup_mobile: null, email }
  }
  const hasBackup = random.chance(20)
  return {
    area_code: origin.area_code,
    mobile: makeMobile(random, origin),
    backup_area_code: hasBackup ? origin.area_code : null,
    backup_mobile: hasBackup ? makeMobile(random, origin) : null,
    email: random.chance(50) ? email : null,
  }
}

function makeMobile(random: Random, origin: Origin): string {
  return random.pick(origin.prefixes) + random.digits(origin.digits)
}

function makeCity(random: Random, origin: Origin) {
  const city = random.pick(origin.cities)
  return {
    city,
    city_raw: origin.isChinese ? `${city}市` : `${city}, ${origin.country}`,
    city_mobile: random.pick(origin.cities),
  }
}

function makeEmployment(random: Random, origin: Origin) {
  const choose = ([chinese, english]: Word) => (origin.isChinese ? chinese : english)
  const which = random.below(work.companies.length)
  // Companies and industries are parallel lists.
  const [company, industry] = [work.companies[which]!, work.industries[which]!]
  const department = random.pick(work.departments)
  return {
    profile: {
      company_name: choose(company),
      job_title: choose(random.pick(work.jobTitles)),
      department: choose(department),
      industry: choose(industry),
    },
    attributes: {
      company_name_en: company[1],
      industry_en: industry[1],
      department_en: department[1],
      parent_company_name: random.chance(30) ? choose(random.pick(work.companies)) : '',
      company_category: choose(random.pick(work.companyCategories)),
      company_size: choose(random.pick(work.companySizes)),
      company_annual_revenue: choose(random.pick(work.annualRevenues)),
      annual_income: choose(random.pick(work.annualIncomes)),
      current_work_start: `${random.between(2008, 2023)}-${two(random.between(1, 12))}-01`,
    },
  }
}

function makeEducation(random: Random, origin: Origin, ctime: Date) {
  const choose = ([chinese, english]: Word) => (origin.isChinese ? chinese : english)
  const file = random.id(later(ctime, daySeconds))
  return {
    top_grades: choose(random.pick(work.degrees)),
    top_grades_institution: choose(random.pick(work.universities)),
    top_grades_date: `${random.between(2002, 2023)}-06-30`,
    certificate_type: origin.isChinese ? '学位证书' : 'Degree certificate',
    certificate_id: `SMP-${random.digits(8)}`,
    certificate_url: `https://files.example.com/certificates/${file}.pdf`,
    resume_file_url: random.chance(60) ? `https://files.example.com/resumes/${file}.pdf` : '',
    academic_proof_url: random.chance(40) ? `https://files.example.com/proofs/${file}.pdf` : '',
  }
}

function makeReach(random: Random, origin: Origin, mailbox: string) {
  const street = random.between(1, 980)
  return {
    address: origin.isChinese
      ? `湖滨路${street}号${random.between(2, 30)}层`
      : `${street} Lake Road, Floor ${random.between(2, 30)}`,
    country_of_residence: origin.country,
    mobile_attribution: origin.country,
    manual_chat: random.chance(40) ? `chat-${mailbox}` : '',
    partner_uid: random.chance(25) ? `partner-${random.digits(8)}` : '',
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
