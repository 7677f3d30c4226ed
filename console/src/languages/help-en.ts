/** A picture that the browser tests take of the console. */
export type Picture =
  | 'today'
  | 'people'
  | 'lead-import'
  | 'orders'
  | 'finance'
  | 'numbers'
  | 'offerings'
  | 'settings'

export interface Step {
  title: string
  /** Short paragraphs; what stands between backticks is a key or a word of the screen. */
  text: string[]
  picture?: Picture
}

/** The guide: for everybody, then for each role. Chinese has the same steps. */
export const guide = {
  everybody: {
    find: {
      title: 'Find anything',
      text: [
        '`⌘K` or `Ctrl K` finds people, orders and commands from anywhere. Type a name, a whole mobile number in any writing or its last four digits, a whole e-mail address, or an order number as the order shows it (or the one your shop gave it). Chinese names are found from the first character.',
        'Filters, view and page of a list are in its address: send the address to a colleague, and they see the same list.',
        'Press `?` for all keys. In a list, `J` and `K` move, `Enter` opens, `Esc` closes.',
      ],
    },
    safety: {
      title: 'What you can rely on',
      text: [
        'Whatever changes money or many records first shows what it will do. Where something can be taken back, `Undo` stands beside the message that it is done.',
        'Clicking twice does nothing twice. If the connection breaks, try again: what was done already is not repeated.',
        'Times are those of the school, wherever you are. Hold the pointer over a time to read it in full.',
      ],
    },
  },
  counsellor: {
    today: {
      title: 'Begin with Today',
      text: [
        'Callbacks that are due, people whom nobody has called yet, overdue instalments of your people, and what is new in the public pool. Every row leads to the place to act.',
      ],
      picture: 'today',
    },
    people: {
      title: 'Work with people',
      text: [
        'Open a person beside the list; `J` and `K` go on to the next. Mobile numbers and addresses are masked; showing one is recorded.',
        'Claim somebody from the public pool, note what was said and when to call again, add tags. Release whom you cannot help.',
      ],
      picture: 'people',
    },
    import: {
      title: 'Import leads',
      text: [
        'Choose a file, match its columns, say what its values stand for, and read row by row what will happen. Nothing goes in before you say so. Rows to mend can be downloaded, mended and imported again; an import can be undone as a whole.',
      ],
      picture: 'lead-import',
    },
    enrol: {
      title: 'Enrol somebody',
      text: [
        'Make an order from the person or from Orders: course, intake, price and instalments. The plan is shown before it is made.',
        'You sell at the list price. The school sets how much you may take off, and whether you record payments.',
      ],
      picture: 'orders',
    },
  },
  finance: {
    payments: {
      title: 'Book what arrived',
      text: [
        'Record a payment on the order, or match the statement of the bank. Money that no order can take waits as an unallocated payment.',
        'A payment that never stood is voided; money that goes back is a refund, and asks for your password again. A large one waits until a second person approves it, under Finance.',
      ],
      picture: 'orders',
    },
    closing: {
      title: 'Close the month',
      text: [
        'A closing holds the figures of a month for good. What arrives late is booked today and marked as of the earlier month.',
        'Exports can be of any instant: the same instant gives the same file.',
      ],
      picture: 'finance',
    },
  },
  admin: {
    staff: {
      title: 'Staff and roles',
      text: [
        'Invite somebody and pass the link on: it lets them choose a password, once, within a week. Roles change at once, also for who is signed in.',
        'Whom you gave access counts as you where a second person is needed, such as for large refunds, until another administrator confirms them.',
      ],
      picture: 'settings',
    },
    offerings: {
      title: 'What the school offers',
      text: [
        'Courses, intakes, coupons and tag groups. Orders keep what they were made with; a later change rewrites none.',
      ],
      picture: 'offerings',
    },
    programs: {
      title: 'Programs',
      text: [
        'A website form or a student portal calls with an API account. Its secret is shown once; a new one can stand beside it for some days. The account may end on a day, and be bound to addresses. The reference for programmers is at `/docs`.',
      ],
    },
  },
  viewer: {
    numbers: {
      title: 'Read the numbers',
      text: [
        'The way from lead to enrolment, receipts, and what is outstanding. Every figure opens the rows that it is the sum of, and the address names it, so that it can be sent.',
      ],
      picture: 'numbers',
    },
  },
} satisfies Record<string, Record<string, Step>>

export type Guide = { [Part in keyof typeof guide]: { [Name in keyof (typeof guide)[Part]]: Step } }
