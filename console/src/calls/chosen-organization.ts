let chosen = ''

/** The organization of calls that name none. */
export function chosenOrganization(): string {
  return chosen
}

export function chooseOrganizationOfCalls(corp_id: string): void {
  chosen = corp_id
}
