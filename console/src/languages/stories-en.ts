/** A working day of each role: a caption for each picture in docs/pictures/stories. Chinese has the same scenes. */
export const stories = {
  counsellor: {
    title: 'A day as a counsellor',
    scenes: {
      today:
        'Li Lei starts with Today: people to call, new people in the public pool and instalments of his people.',
      call: 'He calls the first person. The number is shown for this call, and the activity log records it.',
      log: 'He logs what was said. The next call is typed as words; the line below shows the date that it means.',
      claim: 'He claims a person from the public pool. What is done stays for a while, faded.',
      person: 'The page of the person: what happened in the middle, the facts beside it, the actions above.',
      tag: 'He adds a tag.',
      order: 'The person enrols. The preview shows the instalments before the order exists.',
      ordered: 'The order: what is owed, when, and what can be done next.',
      ask: 'He asks for the first payment and copies the text with the link.',
      find: 'The phone rings: Ctrl K finds the caller by name or by the last four digits.',
    },
  },
  finance: {
    title: 'A day in finance',
    scenes: {
      today:
        'Han Meimei starts with Today: overdue instalments, money without an order and a statement to reconcile.',
      remind: 'She asks for an instalment that is due soon without leaving the page.',
      reconcile: 'The bank statement: each open line has a proposal and its reason.',
      book: 'A line without a payment becomes one. The preview shows what changes.',
      order: 'A parent pays at the desk. She opens the order.',
      pay: 'The next instalment is proposed, and the preview shows the order after it.',
      paid: 'The payment is in the money of the order, with its receipt.',
      refund: 'A refund beyond the limit: the preview says that a second person must approve it.',
      waiting: 'The request waits. She cannot decide it herself.',
      ageing: 'Receivables by how long they are overdue. Each sum opens its orders.',
      closing: 'Before a month is closed, its figures are shown: a closing is permanent.',
    },
  },
  admin: {
    title: 'A day as an administrator',
    scenes: {
      today: 'Wang Fang starts with Today: a refund waits for her decision.',
      decide: 'She approves it. The button names the amount.',
      invite: 'A new counsellor starts. She invites them with a role.',
      link: 'The link works once; she passes it on.',
      course: 'She adds a course to the offerings.',
      duplicates: 'Two records have the same name and city. They may be one person.',
      merge: 'Both are shown field by field, with the values that stay.',
      merged: 'The merge is done, and can be undone.',
      rules: 'What counsellors may do: discounts, payments and how many people they hold.',
      activity: 'The activity log says who did what, in sentences.',
    },
  },
  viewer: {
    title: 'A day as the head of the school',
    scenes: {
      today: 'Grace Tan reads. Today shows the month against the last one, and offers her no actions.',
      funnel: 'From lead to enrolment, by channel and by course.',
      receipts: 'Receipts of the year by month.',
      rows: 'A figure opens the rows behind it; their sum is the figure.',
      order: 'An order: what was sold, paid and is owed.',
      people: 'People with filters. The address holds them, so that she can send the list.',
      person: 'A person without contacts: her role does not reveal them.',
      refused: 'Settings are not for her role. The screen says who can change that.',
    },
  },
} as const

type Texts<Part> = { [Name in keyof Part]: Part[Name] extends string ? string : Texts<Part[Name]> }
export type Stories = Texts<typeof stories>
