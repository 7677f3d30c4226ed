/** Maximum length of each kind of text, in characters. */
export const longest = {
  id: 64,
  name: 200,
  shortText: 500,
  longText: 4000,
  email: 254,
  url: 2048,
  /** owner_ids of one request. */
  listItems: 100,
} as const
