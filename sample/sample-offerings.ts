import { founded } from './calendar.ts'
import { coupons, scholarship } from './order-plans.ts'
import { batchOf, listedPrice, programs } from './programs.ts'

const sinceTheBeginning = { is_active: true, ctime: founded, mtime: founded, version: 1 }

/** Courses, batches and coupons of the orders. Courses are listed in the currency of the school. */
export function makeOfferings(terms: string[]) {
  const batches = programs.flatMap((program) => batchesOf(program, terms))
  return { courses: programs.map(courseOf), batches, coupons: makeCoupons() }
}

function courseOf(program: (typeof programs)[number]) {
  return {
    course_id: program.course_id,
    course_code: program.course_code,
    name: program.course_name,
    school_name: program.school_name,
    program_code: program.program_code,
    product_family_or_lob_category: program.family,
    online_application_name: null,
    currency: 'CNY',
    listed_price: listedPrice(program, 'CNY'),
    start_time: null,
    end_time: null,
    ...sinceTheBeginning,
  }
}

function batchesOf(program: (typeof programs)[number], terms: string[]) {
  return terms.map((start) => ({
    course_id: program.course_id,
    ...batchOf(program, start),
    ...sinceTheBeginning,
  }))
}

function makeCoupons() {
  const shared = {
    valid_from: null,
    valid_until: null,
    ...{ max_uses: null, budget_price: null, budget_currency: null },
    ...sinceTheBeginning,
  }
  const voucher = {
    coupon_id: 'WELCOME-1000',
    description: 'CNY 1,000 off the first course',
    amount: 100_000,
    currency: 'CNY',
    basis_points: null,
    ...shared,
  }
  const shares = [...coupons, scholarship].map(({ id, description, basisPoints }) => ({
    coupon_id: id,
    description,
    amount: null,
    currency: null,
    basis_points: basisPoints,
    ...shared,
  }))
  return [...shares, voucher]
}
