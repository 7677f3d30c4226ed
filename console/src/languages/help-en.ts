/** Screenshots in docs/pictures, taken by the browser tests. */
export type Picture =
  | 'today'
  | 'people'
  | 'lead-import'
  | 'orders'
  | 'finance'
  | 'reports'
  | 'offerings'
  | 'settings'

export interface Step {
  title: string
  /** Short paragraphs. Backticks mark a key or a word of the screen. */
  text: string[]
  picture?: Picture
}

/** The guide: for everyone, then for each role. Chinese has the same steps. */
export const guide = {
  everyone: {
    find: {
      title: 'Search',
      text: [
        'Press `⌘K` or `Ctrl K` on any screen to search people, orders and commands. Type a name, a full mobile number in any format or its last four digits, a full e-mail address, or an order number (ours or your shop’s). Chinese names match from the first character.',
        'The address of a list contains its filters, view and page. Send the address to a colleague, and they see the same list.',
        'Press `?` for all keyboard shortcuts. In a list, `J` and `K` move, `Enter` opens a row and `Esc` closes it.',
      ],
    },
    safety: {
      title: 'Safe actions',
      text: [
        'Every action that changes money or many records first shows a preview. If an action can be reversed, its confirmation message has an `Undo` button.',
        'A double click runs an action only once. If the connection breaks, try again: a completed action is not repeated.',
        'All times are in the school’s time zone. Hold the pointer over a time to see it in full.',
      ],
    },
  },
  counsellor: {
    today: {
      title: 'Start with Today',
      text: [
        'Today lists due callbacks, people not contacted yet, overdue instalments of your people and new people in the public pool. Click a row to act on it.',
      ],
      picture: 'today',
    },
    people: {
      title: 'Work with people',
      text: [
        'A person opens beside the list; press `J` and `K` for the next and the previous one. Mobile numbers and e-mail addresses are masked, and the activity log records every reveal.',
        'Claim people from the public pool, add follow-ups with the next call, and add tags. Release people you cannot help.',
      ],
      picture: 'people',
    },
    import: {
      title: 'Import leads',
      text: [
        'Choose a file, map its columns and values, and check the preview row by row. Nothing is imported before you confirm. You can fix rejected rows on the screen or in a downloaded file and import them again. You can also undo a whole import.',
      ],
      picture: 'lead-import',
    },
    enrol: {
      title: 'Enrol a student',
      text: [
        'Create an order from the person’s record or from Orders: course, intake, price and instalments. The instalment plan is shown before you confirm.',
        'You sell at the list price. Your school decides how much discount you can give and whether you can record payments.',
      ],
      picture: 'orders',
    },
  },
  finance: {
    payments: {
      title: 'Record payments',
      text: [
        'Record a payment on its order, or reconcile the bank statement. Money that no order can take is kept as an unallocated payment.',
        'Void a payment that was recorded by mistake or bounced. To return money, record a refund; it asks for your password again. A second person must approve large refunds under Finance.',
      ],
      picture: 'orders',
    },
    closing: {
      title: 'Close a month',
      text: [
        'A closing fixes the figures of a month permanently. Late entries are posted today and marked with the earlier month.',
        'You can export the figures as of any moment. The same moment always gives the same file.',
      ],
      picture: 'finance',
    },
  },
  admin: {
    staff: {
      title: 'Staff and roles',
      text: [
        'Invite staff and send them the link: they can use it once, within a week, to choose a password. Role changes take effect immediately, even for people who are signed in.',
        'Wherever a second approver is needed, people to whom you gave access count as you until another administrator confirms them.',
      ],
      picture: 'settings',
    },
    offerings: {
      title: 'Courses and coupons',
      text: [
        'Manage courses, intakes, coupons and tag groups. Existing orders keep the details they were created with.',
      ],
      picture: 'offerings',
    },
    programs: {
      title: 'API accounts',
      text: [
        'Website forms, student portals and other programs call the API with an API account. Its secret is shown only once. When you replace a secret, the old one can stay valid for some days. You can set a last valid day and allowed addresses. The API reference is at `/docs`.',
      ],
    },
  },
  viewer: {
    reports: {
      title: 'Read reports',
      text: [
        'Reports show conversion from lead to enrolment, receipts and outstanding amounts. Click a figure to see the rows behind it. Each figure has its own address, so that you can send it.',
      ],
      picture: 'reports',
    },
  },
} satisfies Record<string, Record<string, Step>>

export type Guide = { [Part in keyof typeof guide]: { [Name in keyof (typeof guide)[Part]]: Step } }
