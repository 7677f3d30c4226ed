let chosen = ''

/** The organization that calls concern where they name none. */
export function chosenOrganization(): string {
  return chosen
}

export function chooseOrganizationOfCalls(corp_id: string): void {
  chosen = corp_id
}
