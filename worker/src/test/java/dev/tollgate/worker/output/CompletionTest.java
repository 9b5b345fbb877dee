package dev.tollgate.worker.output;

final class CompletionTest extends CompletionContract {
  @Override
  OutputStore real() {
    return new FolderStore(folder);
  }
}
