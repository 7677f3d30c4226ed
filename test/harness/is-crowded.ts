/**
 * Whether a server refused a call because more calls wait than this machine can serve. Nothing was changed, and clients repeat
 * such a call. Other refusals with 50301, such as those of an older version, are different.
 */
export function isCrowded({ code, msg }: { code: number; msg?: string }): boolean {
  return code === 50301 && msg !== undefined && msg.startsWith('More calls are waiting')
}
