import type { ComponentChildren, VNode } from 'preact';

interface TraceLinkProps {
  /** Made by the service from `links.trace`. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A link to an event's trace: the one address of the page that is no text of its own, so it must be one of the web. */
export function TraceLink({ to, children }: TraceLinkProps): VNode {
  if (!/^https?:\/\//.test(to)) return <>{children}</>;
  return (
    <a href={to} rel="noreferrer">
      {children}
    </a>
  );
}
