import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
}

/** Shows an error in place of the view that threw it, so that the rest of the page still works. */
export class ViewBoundary extends Component<Props, { readonly broken: string | undefined }> {
  override state: { readonly broken: string | undefined } = { broken: undefined };

  static override getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    const { broken } = this.state;
    if (broken === undefined) return this.props.children;
    return (
      <div class="empty failure" role="alert">
        <p class="empty-title">Something went wrong in this view.</p>
        <p class="mono quiet">{broken}</p>
        <button type="button" class="button" onClick={() => this.setState({ broken: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
