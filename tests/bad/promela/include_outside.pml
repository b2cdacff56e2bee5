/* expect: 1:0: error: something is wrong here (the text of this file is not shown: it lies outside the folders of the model)
*/
#include "../../../LICENSE"
init { skip }
