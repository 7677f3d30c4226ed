/** Encodes bytes in base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(text)
}
