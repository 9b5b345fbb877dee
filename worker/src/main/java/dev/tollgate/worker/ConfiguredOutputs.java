package dev.tollgate.worker;

import dev.tollgate.schema.config.OutputsConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.output.FolderStore;
import dev.tollgate.worker.output.OutputPolicy;
import dev.tollgate.worker.output.OutputStore;
import dev.tollgate.worker.output.S3Access;
import dev.tollgate.worker.output.S3Place;
import dev.tollgate.worker.output.S3Store;
import java.util.function.LongSupplier;

/** The store of outputs that is configured. */
final class ConfiguredOutputs {
  private ConfiguredOutputs() {}

  static OutputStore store(TollgateConfig config, LongSupplier nanoTime) {
    OutputsConfig outputs = config.outputs();
    return switch (outputs.store()) {
      case FOLDER -> new FolderStore(outputs.folder());
      case S3 -> {
        OutputsConfig.S3 s3 = outputs.s3();
        // as many as outputs can be under way
        int connections =
            Math.max(1, config.providers().size() * config.worker().followConcurrency());
        S3Store store =
            new S3Store(
                S3Access.open(s3, connections, nanoTime),
                new S3Place(s3.bucket().orElseThrow(), s3.prefix().orElse("")),
                s3.partBytes());
        store.requireConditions(); // before anything is paid for
        yield store;
      }
    };
  }

  static OutputPolicy policy(TollgateConfig config) {
    return new OutputPolicy(
        config.outputs().bytesMax(),
        config.worker().followAfter(),
        config.worker().followPaceMax(),
        config.outputs().triesMax(),
        config.outputs().goneAfter(),
        config.outputs().unavailableAfter());
  }
}
