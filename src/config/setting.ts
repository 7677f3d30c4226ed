/** One setting: a variable of the environment. */
export interface Setting<T> {
  default: string | undefined
  /** The documented default, if it depends on the machine. */
  defaultShown?: string
  meaning: string
  /** The valid values, to be read after "must be". */
  right: string
  /** NAME_FILE may name a file that holds the value: an environment can be seen by other processes, and is inherited. */
  isSecret?: true
  /** Undefined for an invalid value. */
  read(text: string): T | undefined
}

export const anyText = (text: string) => text

export function yesOrNo(): Pick<Setting<boolean>, 'right' | 'read'> {
  return {
    right: 'true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  }
}

export function wholeNumber(least: number, most: number): Pick<Setting<number>, 'right' | 'read'> {
  return {
    right: `a whole number from ${least} to ${most}`,
    read(text) {
      const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}
