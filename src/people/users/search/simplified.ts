/// <reference path="./opencc-js.d.ts" />
import pairs from 'opencc-js/dict/TSCharacters'

/** Replaces traditional Chinese characters by simplified ones, so that either finds the other. */
export function simplified(text: string): string {
  return anyHan.test(text) ? Array.from(text, simplifiedCharacter).join('') : text
}

const anyHan = /\p{Script=Han}/u

let simplifiedOf: Map<string, string> | undefined

function simplifiedCharacter(character: string): string {
  simplifiedOf ??= new Map(
    pairs.split('|').map((pair) => {
      const [traditional = '', forms = ''] = pair.split(' ')
      return [traditional, Array.from(forms)[0] ?? traditional]
    }),
  )
  return simplifiedOf.get(character) ?? character
}
