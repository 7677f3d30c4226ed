export interface AddressedSchool {
  corp_id: string
  name: string
  color: string
  logo_id: string
}

/** The school that the address of the sign-in page names, if it has a logo or a colour. The service writes it into the page. */
export function addressedSchool(): AddressedSchool | undefined {
  const text = document.querySelector<HTMLMetaElement>('meta[name=school]')?.content
  return text ? (JSON.parse(text) as AddressedSchool) : undefined
}
