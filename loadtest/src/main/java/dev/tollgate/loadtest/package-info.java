@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest;
