import { data, type Mutation } from './mutation.ts'

export const peopleMutations: Mutation[] = [
  {
    what: 'is_user_exists is always false',
    of: 'user/create',
    only: 'user/create by e-mail',
    ...data((d) => {
      d.is_user_exists = false
    }),
  },
  {
    what: 'is_user_exists as 0 or 1',
    of: 'user/create',
    only: 'user/create data is_user_exists',
    ...data((d) => {
      d.is_user_exists = Number(d.is_user_exists)
    }),
  },
  {
    what: 'user_id as a number',
    of: 'user/create',
    only: 'user/create data user_id',
    ...data((d) => {
      d.user_id = 17
    }),
  },
  {
    what: 'both shapes at once are taken',
    of: 'user/create',
    only: 'one shape',
    call: ({ body }) => {
      if (body.email && body.mobile) delete body.email
    },
  },
  {
    what: 'an area code with a plus sign is taken',
    of: 'user/create',
    only: 'failures 40002 an area code',
    call: ({ body }) => {
      body.area_code = body.area_code?.replace('+', '')
    },
  },
  {
    what: 'null in an optional member is refused',
    of: 'user/create',
    only: 'null in optional',
    call: ({ body }) => {
      if (body.mobile === null) body.mobile = 0
    },
  },
  {
    what: 'age as a String',
    of: 'profile/fetch',
    only: 'profile/fetch data age',
    ...data((d) => {
      d.age = String(d.age ?? '')
    }),
  },
  {
    what: 'no department',
    of: 'profile/fetch',
    only: 'profile/fetch data department',
    ...data((d) => {
      delete d.department
    }),
  },
  {
    what: 'an extra null: name',
    of: 'profile/fetch',
    only: 'profile/fetch data name',
    ...data((d) => {
      d.name = null
    }),
  },
  {
    what: 'area_code with a plus sign',
    of: 'profile/fetch',
    only: 'profile/fetch shows',
    ...data((d) => {
      d.area_code = `+${d.area_code}`
    }),
  },
  {
    what: 'owner_id as a String',
    of: 'user/owner/update',
    only: 'user/owner/update data owner_id',
    ...data((d) => {
      d.owner_id = d.owner_id.join()
    }),
  },
  {
    what: 'remove adds',
    of: 'user/owner/update',
    only: 'adds and removes',
    call: ({ body }) => {
      body.event_type = 'add'
    },
  },
  {
    what: 'data is null',
    of: 'user/pool/update',
    only: 'user/pool/update data',
    answer: ({ body }) => {
      body.data = null
    },
  },
  {
    what: 'an unknown pool is taken',
    of: 'user/pool/update',
    only: 'unknown pool',
    call: ({ body }) => {
      if (body.pool.startsWith('mconf-')) body.pool = 'public'
    },
  },
  {
    what: 'the pool dead is refused',
    of: 'user/pool/update',
    only: 'takes the pools',
    call: ({ body }) => {
      if (body.pool === 'dead') body.pool = 'gone'
    },
  },
  {
    what: 'the address is answered and not stored',
    of: 'user/email/update',
    only: 'changes the address',
    call: ({ body }) => {
      body.email = `other-${body.email}`
    },
  },
  {
    what: 'number before area code',
    of: 'user/contact/fetch',
    only: 'contact/fetch mobile',
    ...data((d) => {
      d.value.reverse()
    }),
  },
  {
    what: 'value as a String',
    of: 'user/contact/fetch',
    only: 'contact/fetch data value',
    ...data((d) => {
      d.value = d.value.join(' ')
    }),
  },
  {
    what: 'contact_type in capitals',
    of: 'user/contact/fetch',
    only: 'observed value',
    ...data((d) => {
      d.contact_type = d.contact_type.toUpperCase()
    }),
  },
  {
    what: 'mobile_backup is refused',
    of: 'user/contact/fetch',
    only: 'contact/fetch parameter contact_type',
    call: ({ query }) => {
      if (query.get('contact_type') === 'mobile_backup') query.set('contact_type', 'backup')
    },
  },
  {
    what: 'no lead_id',
    of: 'leads/import',
    only: 'leads/import data',
    ...data((d) => {
      delete d.lead_id
    }),
  },
  {
    what: 'is_corporate_training must be a String',
    of: 'leads/import',
    only: 'all fields',
    call: ({ body }) => {
      if (body.is_corporate_training === true) body.is_corporate_training = 'true'
    },
  },
  {
    what: 'the answer to the fourth question is dropped',
    of: 'leads/import',
    only: 'stores every field',
    call: ({ body }) => {
      delete body.form4_value
    },
  },
  {
    what: 'a user_id is required beside a mobile number',
    of: 'leads/import',
    only: 'leads/import by mobile',
    call: ({ body }) => {
      delete body.mobile
    },
  },
]
