using System;

namespace Matchyard
{
    /// <summary>A text is not JSON, or a value cannot be written as JSON.</summary>
    public sealed class JsonFormatException : FormatException
    {
        /// <summary>Creates the exception; the message contains the fault and its position.</summary>
        public JsonFormatException(string message) : base(message)
        {
        }
    }
}
