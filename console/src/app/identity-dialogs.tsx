import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { setSignInAgain } from '../calls/call.ts'
import { setConfirmation } from '../calls/confirmation.ts'
import { type SignedIn, sessionQuery } from './session.tsx'

const load = () => import('./sign-in-again-dialog.tsx')
const SignInAgainDialog = lazy(async () => ({ default: (await load()).SignInAgainDialog }))
const ConfirmationDialog = lazy(async () => ({ default: (await load()).ConfirmationDialog }))

/** Opens the dialogs that ask who the person is, when a call needs one. They are loaded then. */
export function IdentityDialogs() {
  const queries = useQueryClient()
  const [known, setKnown] = useState<SignedIn>()
  const [isConfirming, setConfirming] = useState(false)
  const signingIn = useWaiting(() => setKnown(undefined))
  const confirming = useWaiting(() => setConfirming(false))
  useEffect(() => {
    setSignInAgain(async () => {
      const here = queries.getQueryData<SignedIn>(sessionQuery.queryKey)
      // Nobody is signed in.
      if (!here) return false
      setKnown(here)
      return signingIn.wait()
    })
    setConfirmation(() => {
      setConfirming(true)
      return confirming.wait()
    })
  }, [queries, signingIn, confirming])
  return (
    <Suspense>
      {isConfirming && <ConfirmationDialog finish={confirming.finish} />}
      {known && <SignInAgainDialog known={known} finish={signingIn.finish} />}
    </Suspense>
  )
}

/** The calls that wait for an answer. */
function useWaiting(close: () => void) {
  const resolves = useRef<((isDone: boolean) => void)[]>([])
  const [waiting] = useState(() => ({
    wait: () => new Promise<boolean>((resolve) => resolves.current.push(resolve)),
    finish(isDone: boolean) {
      close()
      for (const resolve of resolves.current.splice(0)) resolve(isDone)
    },
  }))
  return waiting
}
