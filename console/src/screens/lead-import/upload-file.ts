import { base64Of } from '../../calls/base64-of.ts'
import { call } from '../../calls/call.ts'

/** In base64 well below the size limit of a piece. */
const pieceBytes = 480 * 1024

/**
 * Uploads a file in pieces, from where it stopped, then requests the preview. Sending a piece twice has no effect.
 */
export async function uploadFile(
  import_id: string,
  file: Blob,
  received: number,
  onProgress: (sent: number) => void,
): Promise<void> {
  for (let start = received; start < file.size; ) {
    const piece = new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())
    const answer = await call('appendLeadFile', { import_id, start, content: base64Of(piece) })
    start = answer.received
    onProgress(start)
  }
  await call('planLeadFile', { import_id })
}
