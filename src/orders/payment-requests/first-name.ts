const han = /^\p{Script=Han}+$/u
const doubleSurnames = new Set([
  ...['欧阳', '司马', '上官', '诸葛', '东方', '皇甫', '尉迟', '公孙', '慕容'],
  ...['令狐', '长孙', '宇文', '司徒', '夏侯', '端木', '百里', '南宫'],
])

/** The first name of a person; "" if unknown. A Chinese name begins with the surname, which has one or two characters. */
export function firstNameOf({ name, first_name }: { name: string; first_name: string }): string {
  if (first_name.trim() !== '') return first_name.trim()
  const whole = name.trim()
  if (!han.test(whole)) return whole.includes(' ') ? (whole.split(/\s+/)[0] ?? '') : ''
  const characters = [...whole]
  const surname = characters.length > 2 && doubleSurnames.has(characters.slice(0, 2).join('')) ? 2 : 1
  return characters.slice(surname).join('')
}
