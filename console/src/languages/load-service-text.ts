type ServiceText = typeof import('./service-text.ts')

let loaded: ServiceText | undefined

/** Loads the sentences of refusals. Calls wait for it before they report a refusal, so that it is shown at once. */
export async function loadServiceText(): Promise<void> {
  try {
    loaded ??= await import('./service-text.ts')
  } catch {
    // The network failed: the refusal is shown by its kind.
  }
}

export function serviceText(): ServiceText | undefined {
  return loaded
}
