/** A record with one value per name. Object.fromEntries loses the names in its type, so that one cast is here. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>
}

/** The names of a record. Object.keys loses them in its type. */
export function namesOf<Name extends string>(record: { readonly [Each in Name]?: unknown }): Name[] {
  return Object.keys(record) as Name[]
}
